import SwaggerUi from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './docs.css';

// The explorer of the interface, at /docs. Everything in it comes from /openapi.json.

/** The name of the key's scheme in that document. */
const scheme = 'key';
const storedKey = 'club-events-docs-key';

let session: Storage | undefined;
try {
  session = sessionStorage;
} catch {
  // SecurityError: the user has blocked site data. The key lasts until the page is closed.
}

type Authorization = Readonly<Record<string, { readonly value?: unknown }>>;

/** Keeps the key in this tab until it is closed, as the page does. */
const keepKey = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize: (payload: Authorization) => unknown) => (payload: Authorization) => {
          const value = payload[scheme]?.value;
          if (typeof value === 'string') session?.setItem(storedKey, value);
          return authorize(payload);
        },
        logout: (logout: (names: readonly string[]) => unknown) => (names: readonly string[]) => {
          session?.removeItem(storedKey);
          return logout(names);
        },
      },
    },
  },
});

const explorer = SwaggerUi({
  url: '/openapi.json',
  dom_id: '#docs',
  plugins: [keepKey],
  supportedSubmitMethods: ['get', 'head', 'options'],
  defaultModelsExpandDepth: 0,
  // Another service would check the document.
  validatorUrl: null,
  onComplete() {
    const key = session?.getItem(storedKey);
    if (key) explorer.preauthorizeApiKey(scheme, key);
  },
});
