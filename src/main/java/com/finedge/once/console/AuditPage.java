package com.finedge.once.console;

import com.finedge.once.audit.AuditLog;
import com.finedge.once.audit.OperatorAction;
import java.util.List;
import java.util.Map;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Who did what, and why. */
public final class AuditPage implements ManagementRoutes {

    private static final int MOST = 200;

    private final Pages pages;
    private final AuditLog audit;

    public AuditPage(Pages pages, AuditLog audit) {
        this.pages = pages;
        this.audit = audit;
    }

    @Override
    public RouterFunction<ServerResponse> routes() {
        return pages.guarded(RouterFunctions.route().GET(Pages.Part.AUDIT.path(), this::list));
    }

    private ServerResponse list(ServerRequest request) {
        String target = request.param("target").map(String::strip).orElse("");
        List<OperatorAction> actions = target.isEmpty() ? audit.latest(MOST) : audit.on(target, MOST);
        return pages.page(
                request, "audit", Map.of("actions", actions, "target", target, "more", actions.size() == MOST));
    }
}
