/** What became of a request that was tried. */
export type Trial =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly ms: number;
      /** How many events the answer has, and how many there are. */
      readonly shown: number;
      readonly total: number;
      readonly excerpt: string;
    }
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }
  | { readonly kind: 'unreachable' };

/** How long an answer may take before the service counts as gone, in milliseconds. */
const patienceMs = 10_000;

/** How much of a line of an answer is shown, in characters. */
const excerptWidth = 160;

function shorten(line: string): string {
  const characters = Array.from(line);
  return characters.length > excerptWidth
    ? `${characters.slice(0, excerptWidth).join('')} …`
    : line;
}

/** The answer as it is read best: its first event, one member a line. */
function excerptOf(events: readonly unknown[]): string {
  const lines = JSON.stringify({ events: events.slice(0, 1) }, null, 2)
    .split('\n')
    .map(shorten);
  if (events.length > 1) lines.splice(-2, 0, '    …');
  return lines.join('\n');
}

type ListAnswer = { readonly events: readonly unknown[] };

async function readTrial(response: Response, began: number): Promise<Trial> {
  const { status, statusText } = response;
  const body: unknown = await response.json();
  const ms = performance.now() - began;
  if (!response.ok) {
    const { detail } = body as { readonly detail?: string };
    return { kind: 'refused', status, detail: detail ?? statusText };
  }
  const { events } = body as ListAnswer;
  const total = Number(response.headers.get('Total-Count') ?? events.length);
  const excerpt = excerptOf(events);
  return { kind: 'answered', status, ms, shown: events.length, total, excerpt };
}

/** Asks for the events as a script would. */
export async function tryRequest(accessKey: string): Promise<Trial> {
  const began = performance.now();
  try {
    const response = await fetch('/v1/events', {
      headers: { Authorization: `Bearer ${accessKey}` },
      cache: 'no-store',
      signal: AbortSignal.timeout(patienceMs),
    });
    return await readTrial(response, began);
  } catch {
    // No answer at all, or one that broke off.
    return { kind: 'unreachable' };
  }
}
