import "swagger-ui-dist/swagger-ui.css";

import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";

// The server that shows this page is the one whose operations are tried; nothing is fetched from elsewhere.
SwaggerUI({
  url: "/api/v1/openapi.json",
  domNode: document.getElementById("reference"),
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
});
