import './form.css';
import { CloseButton } from '@mantine/core';
import { useFocusTrap, useMediaQuery } from '@mantine/hooks';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEscape } from '../../base/browser.ts';
import { goTo, usePlace } from '../../base/navigation.ts';
import { ClosedReason } from '../parts/closed.tsx';
import { useEditing } from './editor-provider.tsx';

function close(): void {
  goTo({ form: null, formDay: null });
}

/** The form of a mirrored club: the reason why it is closed. */
export function ClosedForm() {
  const { t } = useTranslation('mirrored');
  const { form } = usePlace();
  const { opener } = useEditing();
  const title = useRef<HTMLHeadingElement>(null);
  useState(() => {
    opener.current = document.activeElement;
  });
  const coversPage = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const trap = useFocusTrap(coversPage);
  useEscape({ own: '.event-form', within: '.event-form, #events' }, close);
  useLayoutEffect(() => title.current?.focus(), []);
  return (
    <section
      ref={trap}
      className="upright event-form"
      aria-labelledby="event-form-title"
      {...(coversPage && { role: 'dialog', 'aria-modal': true })}
    >
      <header className="apart event-form-head">
        <h2 ref={title} id="event-form-title" tabIndex={-1} data-autofocus>
          {t(form === 'edit' ? 'noEdit' : 'noNew')}
        </h2>
        <CloseButton size="lg" aria-label={t('close')} onClick={close} />
      </header>
      <div className="stack wide event-form-body">
        <ClosedReason what="club" />
      </div>
    </section>
  );
}
