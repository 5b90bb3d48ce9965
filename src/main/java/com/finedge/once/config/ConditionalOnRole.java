package com.finedge.once.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Beans of one role only. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnRole.OnRole.class)
@interface ConditionalOnRole {

    Role value();

    /** Whether this process has the role. */
    final class OnRole implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Map<String, Object> attributes =
                    Objects.requireNonNull(metadata.getAnnotationAttributes(ConditionalOnRole.class.getName()));
            return Role.of(context.getEnvironment()).contains(attributes.get("value"));
        }
    }
}
