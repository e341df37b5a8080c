import { createSharedValue } from './parts/shared-value.ts';

/** The kind of club a new user started with, until the first steps are closed; otherwise null. */
export const firstSteps = createSharedValue<'own' | 'demo' | null>(null);
