import './help.css';
import { Button } from '@mantine/core';
import { Fragment, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { managingScreens } from '../../../actions/bridge.ts';
import { helps, reportAddress, splitLabels } from '../../../messages/help/help.ts';
import type { Language, Translate } from '../../../messages/messages.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { bridge } from '../../base/desktop.ts';
import { IconPrinter } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';

/** The label of a button or field; the name of a screen opens it in the desktop window. */
function Label({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  // A sentence may end with it.
  const text = (t as Translate)(name, {}).replace(/\s?…$/, '');
  const screen = managingScreens.find((one) => name === `manage:${one}`);
  if (screen === undefined || bridge === undefined) {
    return <strong>{text}</strong>;
  }
  return <LinkButton onClick={() => goTo({ manage: screen })}>{text}</LinkButton>;
}

function HelpText({ text }: { readonly text: string }) {
  return splitLabels(text).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change
    <Fragment key={at}>{'label' in part ? <Label name={part.label} /> : part.words}</Fragment>
  ));
}

/** Moves the focus to a heading, from which a screen reader and Tab go on. */
function focusHeading(id: string): void {
  const heading = document.getElementById(id);
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'start' });
}

/** The help: first steps, questions and answers. It is part of the program and requests nothing. */
export function HelpScreen() {
  const { t, i18n } = useTranslation('print');
  const id = useId();
  const help = helps[i18n.language as Language];
  const steps = Object.entries(help.steps);
  const answers = Object.entries(help.answers);
  return (
    <div className="stack help">
      <p className="managing-intro">{bridge === undefined ? help.inBrowser : help.inWindow}</p>
      <nav className="help-contents" aria-labelledby={`${id}-contents`}>
        <h2 id={`${id}-contents`}>{help.contents}</h2>
        <ul>
          {[['steps', { title: help.firstSteps }] as const, ...answers].map(([name, { title }]) => (
            <li key={name}>
              <LinkButton onClick={() => focusHeading(`${id}-${name}`)}>{title}</LinkButton>
            </li>
          ))}
        </ul>
        {/* Ctrl+P clicks it. */}
        <Button
          id="print-sheet"
          variant="default"
          leftSection={<IconPrinter size={18} stroke={1.75} aria-hidden />}
          onClick={() => window.print()}
        >
          {t('print')}
        </Button>
      </nav>
      <section aria-labelledby={`${id}-steps`}>
        <h2 id={`${id}-steps`} tabIndex={-1}>
          {help.firstSteps}
        </h2>
        <ol>
          {steps.map(([name, { title, text }]) => (
            <li key={name}>
              <h3>{title}</h3>
              <p>
                <HelpText text={text} />
              </p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby={`${id}-questions`}>
        <h2 id={`${id}-questions`}>{help.questions}</h2>
        {answers.map(([name, { title, text }]) => (
          <div key={name} className="help-answer">
            <h3 id={`${id}-${name}`} tabIndex={-1}>
              {title}
            </h3>
            <p>
              <HelpText text={text} />
            </p>
            {name === 'report' && <p>{reportAddress(help)}</p>}
          </div>
        ))}
      </section>
    </div>
  );
}
