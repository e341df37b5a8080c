/** The lengths of units of time in milliseconds. A day has this length in UTC. */
export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const secondsOfDay = dayMs / 1000;
