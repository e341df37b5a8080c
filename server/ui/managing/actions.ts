import type {
  ActionInput,
  ActionName,
  ActionResult,
  Answer,
  BridgeErrorCode,
  Progress,
} from '../../bridge.ts';
import { requireBridge } from './bridge.ts';

/** A failed call to the desktop application; unless `internal`, its message is for the user. */
export class BridgeError extends Error {
  readonly code: BridgeErrorCode;

  constructor(code: BridgeErrorCode, message: string) {
    super(message);
    this.name = 'BridgeError';
    this.code = code;
  }
}

export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** Returns the value of an answer. Throws `BridgeError` if the call failed. */
export async function unwrap<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const settled = await answer;
  if (settled.ok) return settled.value;
  throw new BridgeError(settled.code, settled.message);
}

export type PerformOptions = {
  readonly onProgress?: (progress: Progress) => void;
  /** Cancels the action and discards what it has done so far. */
  readonly signal?: AbortSignal;
};

/** Performs an action of the catalogue. Its file arguments are tokens. Throws `BridgeError`. */
export async function perform<Name extends ActionName>(
  name: Name,
  args: ActionInput<Name>,
  { onProgress, signal }: PerformOptions = {},
): Promise<ActionResult<Name>> {
  const bridge = requireBridge();
  const job = crypto.randomUUID();
  const cancel = () => void bridge.cancel({ job });
  const stop = bridge.listen((message) => {
    if (message.kind === 'progress' && message.job === job) onProgress?.(message.progress);
  });
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const value = await unwrap(bridge.perform({ job, name, args }));
    // The catalogue types the result of each action; the bridge returns `unknown` for all.
    return value as ActionResult<Name>;
  } finally {
    signal?.removeEventListener('abort', cancel);
    stop();
  }
}
