package com.finedge.once.config;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.web.server.Cookie.SameSite;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Hands Hawtio's page the session's token, by the cookie that its script looks for. The cookie only carries it: which token
 * is right is known by the session, so that nobody gains by setting one.
 */
final class HawtioToken extends OncePerRequestFilter {

    /** What the script sends it back by. */
    static final String HEADER = "X-XSRF-TOKEN";

    private static final String COOKIE = "XSRF-TOKEN";

    private final String path;

    HawtioToken(String path) {
        this.path = path;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getMethod().equals("GET")
                || !request.getRequestURI().startsWith(request.getContextPath() + path + "/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token) {
            Cookie cookie = new Cookie(COOKIE, token.getToken());
            cookie.setPath(request.getContextPath() + path);
            cookie.setSecure(request.isSecure());
            cookie.setAttribute("SameSite", SameSite.STRICT.attributeValue());
            response.addCookie(cookie);
        }
        chain.doFilter(request, response);
    }
}
