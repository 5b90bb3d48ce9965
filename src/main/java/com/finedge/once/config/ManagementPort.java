package com.finedge.once.config;

import static org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher.withDefaults;

import com.finedge.once.config.ConsoleProperties.Right;
import com.finedge.once.console.Assets;
import com.finedge.once.console.ManagementRoutes;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointProperties;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.security.SecurityProperties;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientProperties;
import org.springframework.boot.autoconfigure.security.oauth2.client.OAuth2ClientPropertiesMapper;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.security.authentication.AuthenticationTrustResolver;
import org.springframework.security.authentication.AuthenticationTrustResolverImpl;
import org.springframework.security.authentication.InsufficientAuthenticationException;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.SupplierClientRegistrationRepository;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.access.AccessDeniedHandlerImpl;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.csrf.HttpSessionCsrfTokenRepository;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;
import org.springframework.security.web.savedrequest.HttpSessionRequestCache;
import org.springframework.security.web.util.matcher.AndRequestMatcher;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;
import org.springframework.security.web.util.matcher.NegatedRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;
import org.springframework.web.accept.HeaderContentNegotiationStrategy;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.ViewResolver;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.spring6.templateresolver.SpringResourceTemplateResolver;
import org.thymeleaf.spring6.view.ThymeleafViewResolver;

/**
 * The management port: who may come in, and what is served besides the actuator. It is a context of its own below the
 * application's, and everything here is in it and in it only: the public port has neither this filter nor these routes.
 *
 * <p>Listed in {@code META-INF/spring}, and without a stereotype: the component scan would find one, and open these pages
 * on the public port.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
@EnableWebSecurity
@EnableConfigurationProperties(OAuth2ClientProperties.class)
class ManagementPort {

    /** No script and no style but our own files; nothing may frame the pages, or be sent elsewhere by them. */
    private static final String CONTENT_SECURITY = "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final String LOGIN = "/login";

    private static final String HAWTIO = "/hawtio";

    @Bean
    DelegatingFilterProxyRegistrationBean managementSecurityRegistration() {
        var registration = new DelegatingFilterProxyRegistrationBean("springSecurityFilterChain");
        registration.setOrder(SecurityProperties.DEFAULT_FILTER_ORDER);
        registration.setDispatcherTypes(EnumSet.allOf(DispatcherType.class));
        return registration;
    }

    @Bean
    SecurityFilterChain managementSecurity(
            HttpSecurity http,
            Environment environment,
            ConsoleProperties console,
            WebEndpointProperties endpoints,
            OAuth2ClientProperties oidc)
            throws Exception {
        boolean pages = Role.of(environment).contains(Role.CONSOLE);
        List<RequestMatcher> open = new ArrayList<>();
        open.add(get(endpoints.getBasePath() + "/health/liveness"));
        open.add(get(endpoints.getBasePath() + "/health/readiness"));
        if (pages) {
            open.add(get(Assets.STYLESHEET));
            open.add(get(Assets.ICON));
        }
        http.authorizeHttpRequests(requests -> requests
                // Of a request that was let in before.
                .dispatcherTypeMatchers(DispatcherType.ASYNC, DispatcherType.ERROR)
                .permitAll()
                .requestMatchers(open.toArray(RequestMatcher[]::new))
                .permitAll()
                // Jolokia is asked by POST; what it answers is for its policy to say, and changes nothing.
                .requestMatchers(
                        post(endpoints.getBasePath() + "/jolokia/**"),
                        post(endpoints.getBasePath() + HAWTIO + "/jolokia/**"))
                .hasAuthority(ConsoleProperties.authority(Right.VIEWER))
                .requestMatchers(ManagementPort::reads)
                .hasAuthority(ConsoleProperties.authority(Right.VIEWER))
                .anyRequest()
                .hasAuthority(ConsoleProperties.authority(Right.OPERATOR)));
        http.httpBasic(basic -> basic.realmName("once"));
        if (pages) {
            http.formLogin(form -> form.loginPage(LOGIN).permitAll());
            http.logout(logout -> logout.logoutSuccessUrl(LOGIN + "?logout").permitAll());
            if (!oidc.getRegistration().isEmpty()) {
                http.oauth2Login(login -> login.loginPage(LOGIN)
                        .userInfoEndpoint(users -> users.userAuthoritiesMapper(new ClaimedRights(console.oidc()))));
            }
        }
        AuthenticationEntryPoint entry = entry(pages);
        http.exceptionHandling(
                refused -> refused.authenticationEntryPoint(entry).accessDeniedHandler(loginFirst(entry)));
        var tokens = new HttpSessionCsrfTokenRepository();
        tokens.setHeaderName(HawtioToken.HEADER);
        http.csrf(csrf -> csrf.csrfTokenRepository(tokens)
                .requireCsrfProtectionMatcher(new AndRequestMatcher(
                        CsrfFilter.DEFAULT_CSRF_MATCHER, new NegatedRequestMatcher(ManagementPort::isNoBrowser))));
        http.addFilterAfter(new HawtioToken(endpoints.getBasePath() + HAWTIO), AuthorizationFilter.class);
        HttpSessionRequestCache pagesOnly = new HttpSessionRequestCache();
        pagesOnly.setRequestMatcher(request -> reads(request) && wantsPage(request));
        http.requestCache(cache -> cache.requestCache(pagesOnly));
        http.headers(headers -> headers.contentSecurityPolicy(policy -> policy.policyDirectives(CONTENT_SECURITY))
                .referrerPolicy(policy -> policy.policy(ReferrerPolicy.SAME_ORIGIN))
                .frameOptions(HeadersConfigurer.FrameOptionsConfig::deny)
                .crossOriginOpenerPolicy(policy ->
                        policy.policy(CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy.SAME_ORIGIN))
                .crossOriginResourcePolicy(policy ->
                        policy.policy(CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy.SAME_ORIGIN)));
        return http.build();
    }

    private static RequestMatcher get(String path) {
        return withDefaults().matcher(HttpMethod.GET, path);
    }

    private static RequestMatcher post(String path) {
        return withDefaults().matcher(HttpMethod.POST, path);
    }

    private static boolean reads(HttpServletRequest request) {
        return Set.of("GET", "HEAD").contains(request.getMethod());
    }

    private static boolean wantsPage(HttpServletRequest request) {
        var html = new MediaTypeRequestMatcher(new HeaderContentNegotiationStrategy(), MediaType.TEXT_HTML);
        html.setIgnoredMediaTypes(Set.of(MediaType.ALL));
        return request.getHeader("HX-Request") == null && html.matches(request);
    }

    /**
     * A program that names its user in each request. A browser that has learnt a password would send it for other sites
     * too, and is known by the headers that it can't leave out of such a request.
     */
    private static boolean isNoBrowser(HttpServletRequest request) {
        String authorization = request.getHeader(HttpHeaders.AUTHORIZATION);
        return authorization != null
                && authorization.regionMatches(true, 0, "Basic ", 0, 6)
                && request.getHeader(HttpHeaders.ORIGIN) == null
                && request.getHeader(HttpHeaders.REFERER) == null
                && request.getHeader("Sec-Fetch-Site") == null
                && request.getRequestedSessionId() == null;
    }

    private static AuthenticationEntryPoint entry(boolean pages) {
        var login = new LoginUrlAuthenticationEntryPoint(LOGIN);
        return (request, response, failure) -> {
            if (pages && wantsPage(request)) {
                login.commence(request, response, failure);
                return;
            }
            if (pages && request.getHeader("HX-Request") != null) {
                response.setHeader("HX-Redirect", request.getContextPath() + LOGIN);
            } else {
                response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"once\"");
            }
            response.sendError(HttpStatus.UNAUTHORIZED.value());
        };
    }

    /** Also where it is the token of a form that is missing: the session it was of may have ended. */
    private static AccessDeniedHandler loginFirst(AuthenticationEntryPoint entry) {
        AuthenticationTrustResolver trust = new AuthenticationTrustResolverImpl();
        AccessDeniedHandler forbidden = new AccessDeniedHandlerImpl();
        return (request, response, denied) -> {
            if (trust.isAuthenticated(SecurityContextHolder.getContext().getAuthentication())) {
                forbidden.handle(request, response, denied);
            } else {
                entry.commence(
                        request, response, new InsufficientAuthenticationException("nobody has logged in", denied));
            }
        };
    }

    @Bean
    UserDetailsService managementUsers(ConsoleProperties console, OAuth2ClientProperties oidc) {
        return new ConsoleUsers(console, !oidc.getRegistration().isEmpty()).service();
    }

    /** Asked at the first login only: a provider that is away must not keep the application from starting. */
    @Bean
    ClientRegistrationRepository oidcProviders(OAuth2ClientProperties oidc) {
        return new SupplierClientRegistrationRepository(() -> new InMemoryClientRegistrationRepository(new ArrayList<>(
                new OAuth2ClientPropertiesMapper(oidc).asClientRegistrations().values())));
    }

    @Bean
    RouterFunction<ServerResponse> managementRoutes(ObjectProvider<ManagementRoutes> routes) {
        List<RouterFunction<ServerResponse>> all =
                routes.orderedStream().map(ManagementRoutes::routes).toList();
        return all.stream()
                .reduce(RouterFunction::and)
                .orElseGet(() -> RouterFunctions.route()
                        .route(
                                request -> false,
                                request -> ServerResponse.notFound().build())
                        .build());
    }

    @Bean(DispatcherServlet.VIEW_RESOLVER_BEAN_NAME)
    ViewResolver pages(ApplicationContext context) {
        var templates = new SpringResourceTemplateResolver();
        templates.setApplicationContext(context);
        templates.setPrefix("classpath:/console/");
        templates.setSuffix(".html");
        templates.setCharacterEncoding("UTF-8");
        var engine = new SpringTemplateEngine();
        engine.setTemplateResolver(templates);
        var views = new ThymeleafViewResolver();
        views.setTemplateEngine(engine);
        views.setCharacterEncoding("UTF-8");
        views.setApplicationContext(context);
        return views;
    }
}
