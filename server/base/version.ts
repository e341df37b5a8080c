import manifest from '../../package.json' with { type: 'json' };

export const serviceName = 'club-events';
export const version: string = manifest.version;
