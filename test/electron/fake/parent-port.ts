import { EventEmitter } from 'node:events';
import process from 'node:process';
import { setVersions } from './versions.ts';

// Loaded before the program of a utility process: gives it the `process` of Electron.

setVersions();

const parentPort = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown) => void process.send?.(message),
});
// As under Electron, messages wait for the first listener.
parentPort.once('newListener', () => {
  process.on('message', (data) => parentPort.emit('message', { data, ports: [] }));
});
Object.defineProperty(process, 'parentPort', { value: parentPort });

// Without the application, its processes end, as they do under Electron.
process.on('disconnect', () => process.exit(1));
