/** A request that a service answered; its key is not part of it. */
export type RecentRequest = {
  readonly userId: number;
  /** The path with its query. */
  readonly path: string;
  /** The revision of the user's events in the answer, and its SHA-256; absent for one event. */
  readonly revision?: string | undefined;
  readonly digest?: string | undefined;
};

export type RecentRequests = {
  note(request: RecentRequest): void;
  /** Returns the last distinct requests, newest last. */
  all(): RecentRequest[];
};

const maxRequests = 50;

/** Keeps the last distinct requests in memory. */
export function createRecentRequests(): RecentRequests {
  // A map keeps the order in which its entries were set.
  const requests = new Map<string, RecentRequest>();
  return {
    note(request) {
      const key = `${request.userId} ${request.path}`;
      requests.delete(key);
      requests.set(key, request);
      const [oldest] = requests.keys();
      if (requests.size > maxRequests && oldest !== undefined) requests.delete(oldest);
    },
    all: () => [...requests.values()],
  };
}
