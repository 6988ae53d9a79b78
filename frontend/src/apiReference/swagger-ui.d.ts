declare module "swagger-ui-dist/swagger-ui-es-bundle.js" {
  interface Options {
    url: string;
    domNode: Element | null;
    deepLinking: boolean;
    docExpansion: "list" | "full" | "none";
    defaultModelsExpandDepth: number;
    displayRequestDuration: boolean;
    syntaxHighlight: { activated: boolean };
    validatorUrl: null;
  }
  export default function SwaggerUI(options: Options): unknown;
}
