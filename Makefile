# `make help` lists what there is. Everything runs on embedded services: no Docker, nothing installed by hand but a
# JDK (21 or newer), Maven and Node.js (20 or newer).

SHELL := /bin/bash

# The newest JDK of 21 or more: JAVA_HOME, the java on the path, or one that stands beside it.
export JAVA_HOME := $(shell build/find-jdk 21)
ifeq ($(JAVA_HOME),)
$(error Once needs a JDK of 21 or newer and found none: install one, or point JAVA_HOME at it)
endif

JAVA := $(JAVA_HOME)/bin/java
MVN  := mvn -B -ntp

.PHONY: help
help: ## list what make can do
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

# Compiles everything, without the tests, and says nothing if all is well.
.PHONY: compile
compile:
	@$(MVN) -q test-compile

# What runs outside Maven: the product, its tests and the benchmark.
RUN_CLASSPATH = target/test-classes:target/classes:$$(cat target/test.classpath)

.PHONY: jar
jar: ## the jar of the image, without the tests
	@$(MVN) -q -DskipTests package

.PHONY: demo
demo: compile ## 20 charges raised, sent 36 times and debited 20 times, on embedded services
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "$(RUN_CLASSPATH)" com.finedge.once.dev.Demo

.PHONY: demo-saga
demo-saga: compile ## eight orders by their saga, to their end or back, with what goes wrong with each
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "$(RUN_CLASSPATH)" com.finedge.once.dev.SagaDemo

.PHONY: demo-redrive
demo-redrive: compile ## thirty dead letters of every kind, a dry run, a redrive, each where it belongs
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "$(RUN_CLASSPATH)" com.finedge.once.dev.RedriveDemo

.PHONY: chaos
chaos: compile ## 1,000 orders in bad weather, a process killed every 2 s, in 5 minutes at most
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "$(RUN_CLASSPATH)" com.finedge.once.dev.SagaChaos

# With ROUTES, a file of that folder is loaded again when it is saved.
.PHONY: run
run: ## Once with all its back ends on this machine, until Ctrl-C (ROUTES=a folder of route files)
	@$(if $(ROUTES),ONCE_ROUTES="$(abspath $(ROUTES))") $(MVN) -q spring-boot:test-run -Dstart-class=com.finedge.once.dev.TestOnceApplication -Dspring-boot.run.profiles=dev

# The product alone: no test classes, and nothing is started.
.PHONY: check-routes
check-routes: ## check route files as a start does: a line a problem (DIR=a folder, or those of the jar; CP=your jars)
	@$(MVN) -q test-compile
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "target/classes:$$(cat target/test.classpath)$(if $(CP),:$(CP))" com.finedge.once.config.CheckRoutes $(DIR) $(ARGS)

# Of what `make run` has started, or of what URL names.
.PHONY: burst
burst: compile ## the end of a month: raise N charges (N=1000 URL=http://127.0.0.1:8080; BURST=--help)
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "$(RUN_CLASSPATH)" com.finedge.once.dev.Burst $(if $(N),--charges=$(N)) $(if $(URL),--url=$(URL)) $(BURST)

# A dry run, unless REDRIVE=--in-earnest; the password of USER_NAME is taken from ONCE_PASSWORD.
.PHONY: redrive
redrive: compile ## dead letters, by their claims (WHY='...' URL=http://127.0.0.1:8081 USER_NAME=...; REDRIVE=--help)
	@$(JAVA) -XX:TieredStopAtLevel=1 -cp "$(RUN_CLASSPATH)" com.finedge.once.dev.RedriveClient $(if $(WHY),"--why=$(WHY)") $(if $(URL),--url=$(URL)) $(if $(USER_NAME),--user=$(USER_NAME)) $(REDRIVE)

.PHONY: bench
bench: $(if $(findstring --start,$(BENCH)),jar,compile) ## what a message costs, beside other consumers, in a quarter of an hour (BENCH=--quick: 3 min; BENCH=--outbox, BENCH=--sagas: 1; BENCH=--start: 4; BENCH=--help)
	@$(JAVA) -Dio.netty.noUnsafe=true -cp "$(RUN_CLASSPATH)" com.finedge.once.bench.Bench $(BENCH)

.PHONY: check-deploy
check-deploy: ## what is deployed, without a cloud: Compose, Kubernetes, CloudFormation, rights in AWS, alerts, dashboard; a part of `make test`
	@$(MVN) verify -Dtest=LicencesTest -Dit.test='ComposeFileIT,KubernetesManifestsIT,CloudFormationIT,PoliciesIT,AlertsIT'

.PHONY: test
test: ## everything the build checks: formatter, compiler checks, unit and integration tests
	@$(MVN) verify

.PHONY: format
format: ## format the sources
	@$(MVN) -q spotless:apply
