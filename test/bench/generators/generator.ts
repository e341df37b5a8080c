/** What is asked for, again and again. */
export type Request = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** What a load generator counted. */
export type Counts = {
  readonly perSecond: number;
  /** In milliseconds; autocannon counts whole ones. */
  readonly p99: number;
  readonly requests: number;
  /** Of all answers, as they came over the wire. */
  readonly bytes: number;
  /** Answers that did not come, or with a status above 399. */
  readonly failures: number;
};

/** Asks a server for as much as it can answer, from a process of its own. */
export type Generator = (request: Request, connections: number, seconds: number) => Promise<Counts>;
