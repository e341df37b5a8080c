// Reads the events of a club from Club Events. Copy this file beside your script; it needs no package.
//   import { ClubEvents } from './club-events.ts';
//   const club = new ClubEvents('http://127.0.0.1:28470', 'KEY');
//   for await (const event of club.events({ sort: 'date' })) console.log(event.date, event.name);
//   for await (const { events, removed } of club.changes()) console.log(events, removed);

export type ClubEvent = {
  readonly id: number;
  readonly name: string;
  /** ISO 8601 in UTC, as `createdAt`. */
  readonly date: string;
  readonly location: string;
  readonly description: string | null;
  readonly status: 'draft' | 'active' | 'completed' | 'cancelled';
  readonly eventType: 'national' | 'international' | 'regional' | 'club' | null;
  readonly registrationOpen?: boolean;
  readonly createdAt: string;
};

export type Changes = {
  readonly events: ClubEvent[];
  readonly removed: number[];
  /** True if `events` is the whole list: at the start, and after a restore. */
  readonly reset: boolean;
  /** Store it after your work, and give it to `changes` at the next start. */
  readonly since: string;
};

/** A refused request. `code` is stable; the message says what to do. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string | undefined;
  constructor(status: number, { code, detail }: Refusal) {
    super(detail ?? `The service answered ${status}.`);
    this.status = status;
    this.code = code;
  }
}

type Refusal = { code?: string; detail?: string };
type Strings = Record<string, string>;
type Page = { events: ClubEvent[]; removed?: number[] };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class ClubEvents {
  readonly #url: string;
  readonly #key: string;
  constructor(baseUrl: string, key: string) {
    this.#url = `${baseUrl.replace(/\/+$/, '')}/v1/events`;
    this.#key = `Bearer ${key}`;
  }

  async #get<Body>(url: string, headers: Strings = {}) {
    const answer = await fetch(url, { headers: { Authorization: this.#key, ...headers } });
    if (answer.ok) return { body: (await answer.json()) as Body, headers: answer.headers };
    throw new Problem(answer.status, (await answer.json().catch(() => ({}))) as Refusal);
  }

  async *#pages(parameters: Strings, headers: Strings = {}) {
    for (let url: string | undefined = `${this.#url}?${new URLSearchParams(parameters)}`; url; ) {
      const page: { body: Page; headers: Headers } = await this.#get<Page>(url, headers);
      yield page;
      url = /<([^>]+)>/.exec(page.headers.get('Link') ?? '')?.[1];
    }
  }

  /** Yields all events that match, such as `{ status: 'active', to: '2027-01-01' }`. */
  async *events(parameters: Strings = {}): AsyncGenerator<ClubEvent> {
    for await (const { body } of this.#pages(parameters)) yield* body.events;
  }

  /** Returns one event. Throws a Problem with the code `event_not_found` if there is none. */
  async event(id: number): Promise<ClubEvent> {
    return (await this.#get<{ event: ClubEvent }>(`${this.#url}/${id}`)).body.event;
  }

  /** Waits for changes and yields them until it is stopped; begins with the whole list. */
  async *changes(since = '', wait = 50): AsyncGenerator<Changes> {
    const waiting = { Prefer: `wait=${wait}` };
    for (let at = since; ; ) {
      const pages: { body: Page; headers: Headers }[] = [];
      try {
        const query = at === '' ? {} : { since: at };
        for await (const page of this.#pages(query, waiting)) pages.push(page);
      } catch (error) {
        if (error instanceof Problem && error.status === 410) at = '';
        else if (error instanceof Problem && error.status < 500) throw error;
        await pause(1_000); // The service starts, or an answer is cut off or is no JSON.
        continue;
      }
      const events = pages.flatMap(({ body }) => body.events);
      const removed = pages.flatMap(({ body }) => body.removed ?? []);
      const reset = at === '';
      at = pages[0]?.headers.get('Events-Revision') ?? '';
      if (reset || events.length + removed.length > 0) yield { events, removed, reset, since: at };
      else if (!pages[0]?.headers.has('Preference-Applied')) await pause(wait * 1_000);
    }
  }
}
