// Starts the API reference: the document of this very server, in the colours that the reader's system prefers.
const darkness = matchMedia("(prefers-color-scheme: dark)");
const followColours = () => document.documentElement.classList.toggle("dark-mode", darkness.matches);
darkness.addEventListener("change", followColours);
followColours();

SwaggerUIBundle({
  url: "/api/v1/openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
});
