import '../parts/item-list.css';
import './keys.css';
import { useRef } from 'react';
import { useDesktop } from '../desktop.tsx';
import { useAction } from '../parts/use-action.ts';
import { CreateKey } from './create-key.tsx';
import { KeyList } from './key-list.tsx';
import { NewKey } from './new-key.tsx';
import { ServiceAddress } from './service-address.tsx';

/** The keys by which scripts read a club's events. */
export function KeysScreen() {
  const { club } = useDesktop();
  // The only place that has a new key; it is forgotten when its user has stored it.
  const creation = useAction('key create');
  const created = creation.result;
  const label = useRef<HTMLInputElement>(null);
  const forget = () => {
    creation.reset();
    // The form is there once the key is not.
    setTimeout(() => label.current?.focus());
  };
  return (
    <div className="access">
      <ServiceAddress />
      {created === undefined ? (
        <CreateKey club={club.name} creation={creation} labelRef={label} />
      ) : (
        <NewKey created={created} onStored={forget} />
      )}
      <KeyList
        club={club.name}
        onRevoked={(id) => {
          if (id === created?.id) creation.reset();
        }}
      />
    </div>
  );
}
