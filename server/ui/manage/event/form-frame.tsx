import './form.css';
import { CloseButton } from '@mantine/core';
import { useFocusTrap, useMediaQuery } from '@mantine/hooks';
import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEscape } from '../../base/browser.ts';
import { goTo } from '../../base/navigation.ts';
import { useEditing } from './editor-provider.tsx';

export function closeForm(): void {
  goTo({ form: null, formDay: null });
}

/** The frame of a form beside the view, or over the page of a phone; notes what opened it. */
export function FormFrame(props: {
  readonly title: string;
  /** The title, if it takes the focus. */
  readonly heading?: RefObject<HTMLHeadingElement | null>;
  readonly children: ReactNode;
}) {
  const { title, heading, children } = props;
  const { t } = useTranslation('eventForm');
  const { opener } = useEditing();
  useState(() => {
    opener.current = document.activeElement;
  });
  const coversPage = useMediaQuery('(max-width: 43.75rem)', false, {
    getInitialValueInEffect: false,
  });
  const trap = useFocusTrap(coversPage);
  useEscape({ own: '.event-form', within: '.event-form, #events' }, closeForm);
  return (
    <section
      ref={trap}
      className="upright event-form"
      aria-labelledby="event-form-title"
      {...(coversPage && { role: 'dialog', 'aria-modal': true })}
    >
      <header className="apart event-form-head">
        <h2
          id="event-form-title"
          {...(heading && { ref: heading, tabIndex: -1, 'data-autofocus': true })}
        >
          {title}
        </h2>
        <CloseButton size="lg" aria-label={t('close')} onClick={closeForm} />
      </header>
      {children}
    </section>
  );
}
