import { EventEmitter } from 'node:events';

/**
 * Base of the fake's classes. Accessing a missing member throws, so that a test fails where Electron
 * would have done something.
 */
export class Strict<Events extends Record<keyof Events, unknown[]>> extends EventEmitter<Events> {}

const members = new Proxy(EventEmitter.prototype, {
  get(target, name, receiver) {
    // `await` and JSON access these members of every object.
    if (typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON') {
      return Reflect.get(target, name, receiver);
    }
    throw new Error(`The fake for Electron has no ${receiver.constructor.name}.${name}.`);
  },
});
Object.setPrototypeOf(Strict.prototype, members);

/** An event of Electron, which a listener can prevent. */
export class PreventableEvent {
  defaultPrevented = false;

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** Casts an object of the fake to Electron's class; `electron.types.ts` compares them. */
export function asElectron<Real>(own: object): Real {
  return own as Real;
}

/** A function without effect. */
export const ignore = (..._given: readonly unknown[]): void => undefined;
