import { createPart } from '../shell/part.tsx';

/** The management screens, shown only in the desktop window. */
export const Managing = createPart(async () => (await import('./managing.tsx')).Managing);

export const Welcome = createPart(async () => (await import('./welcome/welcome.tsx')).Welcome);
