package com.finedge.once.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Beans of these roles only. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnRole.OnRole.class)
@interface ConditionalOnRole {

    Role[] value();

    /** Whether this process has one of the roles. */
    final class OnRole implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Map<String, Object> attributes =
                    Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnRole.class.getName()));
            Role[] roles = (Role[]) Objects.requireNonNull(attributes.get("value"));
            return !Collections.disjoint(Role.of(context.getEnvironment()), List.of(roles));
        }
    }
}
