package com.finedge.once.architecture.samples.injection;

import jakarta.annotation.Resource;
import org.apache.camel.BeanInject;
import org.apache.camel.EndpointInject;
import org.apache.camel.PropertyInject;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;

class FieldInjection {

    @Autowired
    @Nullable
    Object bySpring;

    @Value("${once.roles}")
    @Nullable
    String valueBySpring;

    @Resource
    @Nullable
    Object byJakarta;

    @BeanInject
    @Nullable
    Object byCamel;

    @PropertyInject("once.roles")
    @Nullable
    String propertyByCamel;

    @EndpointInject
    @Nullable
    Object endpointByCamel;
}
