import { createSharedValue } from './parts/shared-value.ts';

/** What a new user has begun with, until they know how it goes on; null for anyone else. */
export const firstSteps = createSharedValue<'own' | 'demo' | null>(null);
