import { answerChromium } from './chromium.ts';
import { Strict } from './strict.ts';

type Handler = (request: Request) => Response | Promise<Response>;

/** The schemes of the program, by their handlers; what their privileges allow is not in the fake. */
export class Protocol extends Strict<Record<never, never>> {
  readonly #privileged = new Set<string>();
  readonly #handlers = new Map<string, Handler>();

  constructor(isReady: () => boolean) {
    super();
    this.registerSchemesAsPrivileged = (schemes) => {
      if (isReady()) throw new Error('protocol.registerSchemesAsPrivileged is for before ready.');
      for (const { scheme } of schemes) this.#privileged.add(scheme);
    };
    answerChromium('fetch', async ({ url, method, headers }) => {
      const scheme = new URL(url).protocol.slice(0, -1);
      const handler = this.#privileged.has(scheme) ? this.#handlers.get(scheme) : undefined;
      const response = await handler?.(new Request(url, { method, headers }));
      if (response === undefined || response.type === 'error') return undefined;
      const body = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: [...response.headers], body };
    });
  }

  readonly registerSchemesAsPrivileged: (schemes: Electron.CustomScheme[]) => void;

  handle(scheme: string, handler: Handler): void {
    if (this.#handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    this.#handlers.set(scheme, handler);
  }
}
