import type {
  ActionInput,
  ActionName,
  ActionResult,
  Answer,
  BridgeErrorCode,
  Progress,
} from '../../bridge.ts';
import { requireBridge } from './bridge.ts';

/** Why the desktop application did not do what was asked, in a sentence for its user. */
export class BridgeError extends Error {
  readonly code: BridgeErrorCode;

  constructor(code: BridgeErrorCode, message: string) {
    super(message);
    this.name = 'BridgeError';
    this.code = code;
  }
}

/** What was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The value of an answer; throws a `BridgeError` where there is none. */
export async function unwrap<Value>(answer: Promise<Answer<Value>>): Promise<Value> {
  const given = await answer;
  if (given.ok) return given.value;
  throw new BridgeError(given.code, given.message);
}

export type PerformOptions = {
  /** Told at most every tenth of a second how far a long action has come. */
  readonly onProgress?: (progress: Progress) => void;
  /** Gives the action up; what it had begun is taken back. */
  readonly signal?: AbortSignal;
};

/** Performs an action of the catalogue; files in its arguments are tokens. Throws `BridgeError`. */
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
    // The catalogue gives each action its own result; the bridge carries them all alike.
    return value as ActionResult<Name>;
  } finally {
    signal?.removeEventListener('abort', cancel);
    stop();
  }
}
