import '../parts/item-list.css';
import './keys.css';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useDesktop } from '../desktop.tsx';
import { useAction } from '../parts/use-action.ts';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { ServiceAddress } from './service-address.tsx';

/** Creates a key and shows it. Only this component holds the key; unmounting forgets it. */
function KeyCreation({
  labelRef,
  shownId,
  onStored,
}: {
  readonly labelRef: RefObject<HTMLInputElement | null>;
  /** Receives the id of the displayed key. */
  readonly shownId: RefObject<number | undefined>;
  readonly onStored: () => void;
}) {
  const { club } = useDesktop();
  const creation = useAction('key create');
  const created = creation.result;
  useEffect(() => {
    shownId.current = created?.id;
  }, [created, shownId]);
  if (created !== undefined) return <NewKey created={created} onStored={onStored} />;
  return <CreateKey club={club.name} creation={creation} labelRef={labelRef} />;
}

/** The screen for the keys that let scripts read a club's events. */
export function KeysScreen() {
  const { club } = useDesktop();
  const label = useRef<HTMLInputElement>(null);
  const shownId = useRef<number>(undefined);
  // React keeps the previous state of a component until its next render, but not that of an
  // unmounted one: resetting the state would leave the key in memory.
  const [keysForgotten, setKeysForgotten] = useState(0);
  const forgetKey = () => setKeysForgotten((count) => count + 1);
  return (
    <div className="access">
      <ServiceAddress />
      <KeyCreation
        key={keysForgotten}
        labelRef={label}
        shownId={shownId}
        onStored={() => {
          forgetKey();
          // The form is not mounted before the key is gone.
          setTimeout(() => label.current?.focus());
        }}
      />
      <KeyList
        club={club.name}
        onRevoked={(id) => {
          if (id === shownId.current) forgetKey();
        }}
      />
    </div>
  );
}
