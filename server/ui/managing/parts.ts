import { createPart } from '../shell/part.tsx';

/** The screens that manage, which the desktop window alone has. */
export const Managing = createPart(async () => (await import('./managing.tsx')).Managing);

export const Welcome = createPart(async () => (await import('./welcome/welcome.tsx')).Welcome);
