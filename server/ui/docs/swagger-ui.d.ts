// The package has no types of its own.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Explorer = { preauthorizeApiKey(scheme: string, key: string): void };
  const SwaggerUi: (options: Readonly<Record<string, unknown>>) => Explorer;
  // biome-ignore lint/style/noDefaultExport: as the package has it
  export default SwaggerUi;
}
