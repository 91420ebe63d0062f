// Nothing is loaded from elsewhere: no validator badge, no fonts, no document but this server's own.
window.SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });
