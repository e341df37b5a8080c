import './message.css';
import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { teamMatcher } from '../../../../db/team-filter.ts';
import type { UnannouncedChange } from '../../../event/announced.ts';
import { linkedPages, linkFor } from '../../../event/page-link.ts';
import { changesIn, listWeek, type Week } from '../../../event/week.ts';
import { messageSubject, writeChanges, writeWeek } from '../../../event/write-message.ts';
import { useNow, useToday } from '../../base/days.ts';
import { useFormats, wordingOf } from '../../base/format.ts';
import { IconCheck } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { Segments } from '../../base/segments.tsx';
import {
  type Announced,
  type StoredAnnounced,
  stateAfter,
  useAnnounced,
} from '../../data/announced.ts';
import { useTeamChoice, useTeams } from '../../data/teams.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { ErrorNotice, Saved } from '../parts/parts.tsx';
import { ChangeList } from './change-list.tsx';
import { Letter, type Way } from './letter.tsx';
import { type WeekChoice, WeekFields, WeekList } from './week.tsx';

const none: ReadonlySet<number> = new Set();

/** The changes that a message tells, and its language. */
type Told = {
  readonly way: Way;
  readonly language: string;
  readonly changes: readonly UnannouncedChange[];
};

type PartProps = {
  readonly announced: Announced;
  readonly changes: readonly UnannouncedChange[];
  readonly language: string;
  readonly onLanguage: (language: string) => void;
  readonly onTell: (told: Told) => Promise<void>;
};

/** Returns the pages for members, as a message can name them. */
function usePages() {
  const { club } = useDesktop();
  const { data } = useActionQuery('publish list', { user: club.name });
  return useMemo(
    () =>
      (data?.files ?? []).map((file) => ({
        ...file,
        isBroken: (file.addressCheck?.problem ?? null) !== null,
      })),
    [data],
  );
}

/** The changes that nobody was told of, and one message about them. */
function Changes({ announced, changes, language, onLanguage, onTell }: PartProps) {
  const { t } = useTranslation('message');
  const formats = useFormats();
  const { clock } = useVisibleEvents();
  const today = useToday();
  const { club } = useDesktop();
  const pages = usePages();
  const [omitted, setOmitted] = useState(none);
  const day = formats.at('day', announced.announced.at);
  const isFirst = announced.announced.language === null;
  const chosen = changes.filter(({ event }) => !omitted.has(event.id));
  const count = { count: changes.length, shown: formats.number(changes.length) };
  const wording = wordingOf(clock, language);
  const names = { club: club.name, team: '', link: linkFor(pages, '') };
  const tell = async (way: Way) => {
    await onTell({ way, language, changes: chosen });
    setOmitted(none);
  };
  return (
    <div className="announced">
      <div>
        <p className="announced-count">{t('untold', count)}</p>
        <p className="quiet">{t(isFirst ? 'sinceCount' : 'since', { day })}</p>
        <ChangeList changes={changes} omitted={omitted} onOmit={setOmitted} />
      </div>
      <Letter
        language={language}
        onLanguage={onLanguage}
        written={writeChanges(wording, chosen, { ...names, today })}
        subject={messageSubject(wording, names)}
        choice="for all"
        isEmpty={chosen.length === 0}
        canMark
        onTell={tell}
      />
    </div>
  );
}

/** Returns what is on in the chosen days. */
function useWeek({ days, team }: WeekChoice, changes: readonly UnannouncedChange[]): Week {
  const { all, clock } = useVisibleEvents();
  const now = useNow();
  const filter = useTeams().find(({ name }) => name === team);
  const events = all?.byId;
  return useMemo(() => {
    const isChosen = filter === undefined ? () => true : teamMatcher(filter);
    return listWeek(clock, events?.values() ?? [], changes, { days, now, isChosen });
  }, [clock, events, changes, days, now, filter]);
}

/** The events of some days, and the message about them. */
function WhatIsOn({ changes, language, onLanguage, onTell }: PartProps) {
  const { t } = useTranslation('message');
  const formats = useFormats();
  const { clock } = useVisibleEvents();
  const { club } = useDesktop();
  const pages = usePages();
  const shownTeam = useTeamChoice().team?.name ?? '';
  const [choice, setChoice] = useState<Partial<WeekChoice>>({});
  const [omitted, setOmitted] = useState(none);
  const { days = 7, team = shownTeam } = choice;
  const own = linkFor(pages, team);
  const others = linkedPages(pages).map(({ address }) => address);
  const links = [...new Set([...(own === null ? [] : [own]), ...others])];
  const link = choice.link ?? own ?? '';
  const chosen: WeekChoice = { days, team, link };
  const week = useWeek(chosen, changes);
  const items = week.items.filter(({ event }) => !omitted.has(event.id));
  const told = changesIn(items);
  const wording = wordingOf(clock, language);
  const names = { club: club.name, team, link: link === '' ? null : link };
  const left = changes.length - told.length;
  const count = (number: number) => ({ count: number, shown: formats.number(number) });
  const key = JSON.stringify(['week', week.first, days, team, link, ...omitted]);
  return (
    <div className="announced">
      <div className="stack">
        <WeekFields
          choice={chosen}
          links={links}
          onChange={(change) => {
            setOmitted(none);
            // Another team has another page.
            const { link: _, ...kept } = choice;
            setChoice({ ...(change.team === undefined ? choice : kept), ...change });
          }}
        />
        <WeekList week={week} omitted={omitted} onOmit={setOmitted} />
        {changes.length > 0 && (
          <p className="quiet small">
            {left === 0
              ? t('tellsAll', count(told.length))
              : told.length === 0
                ? t('tellsNone', count(left))
                : t('tellsSome', {
                    ...count(left),
                    told: formats.number(told.length),
                    all: formats.number(changes.length),
                  })}
          </p>
        )}
      </div>
      <Letter
        language={language}
        onLanguage={onLanguage}
        written={writeWeek(wording, week, { ...names, items })}
        subject={messageSubject(wording, names, week)}
        choice={key}
        isEmpty={items.length === 0 && week.items.length > 0}
        canMark={false}
        onTell={(way) => onTell({ way, language, changes: told })}
      />
    </div>
  );
}

type Done = { readonly text: string; readonly before: StoredAnnounced | undefined };

/** Returns a function that words what was told, and how many changes are left. */
function useTellWords(): (told: Told, left: number) => string {
  const { t } = useTranslation('message');
  const { number } = useFormats();
  return ({ way, changes }, left) => {
    const { length } = changes;
    const count = (value: number) => ({ count: value, shown: number(value) });
    return [
      way === 'marked' ? '' : t(way),
      length === 0 ? '' : t('told', count(length)),
      left === 0 ? '' : t('left', count(left)),
    ]
      .filter((text) => text !== '')
      .join(' ');
  };
}

/** Nothing to tell, or a state of which nobody knows what members know. */
function NoChanges({ announced }: { readonly announced: Announced }) {
  const { t } = useTranslation('message');
  const formats = useFormats();
  const { store } = useAnnounced();
  const { at, language } = announced.announced;
  const marking = useTask(() => store(stateAfter(announced, { language, unannounced: none })));
  return (
    <div className="stack announced-start">
      {announced.isCurrent ? (
        <p className="row">
          <IconCheck size={20} aria-hidden /> {t('nothing')}
        </p>
      ) : (
        <Button loading={marking.isRunning} onClick={() => void marking.run()}>
          {t('knowAll')}
        </Button>
      )}
      {language !== null && (
        <p className="row quiet">{t('lastMessage', { day: formats.at('day', at) })}</p>
      )}
      <ErrorNotice error={marking.error} />
    </div>
  );
}

/** A message for the members: about what is on, or about the changes that nobody was told of. */
export function MessageScreen({ isWeek = false }: { readonly isWeek?: boolean }) {
  const { t, i18n } = useTranslation('message');
  const formats = useFormats();
  const { announced, changes, store } = useAnnounced();
  const [chosen, setLanguage] = useState<string | undefined>();
  const [done, setDone] = useState<Done | undefined>();
  const words = useTellWords();
  const undoing = useTask(async (before: StoredAnnounced) => {
    await store(before);
    setDone(undefined);
  });
  if (announced === undefined) return null;
  const language = chosen ?? announced.announced.language ?? i18n.language;
  const tell = async (told: Told) => {
    const ids = new Set(told.changes.map(({ event }) => event.id));
    const unannounced = new Set(
      changes.flatMap(({ event }) => (ids.has(event.id) ? [] : event.id)),
    );
    // After a restore, a person says first what members know.
    const isKnown = announced.isCurrent || !isWeek;
    const before = isKnown
      ? await store(stateAfter(announced, { language: told.language, unannounced }))
      : undefined;
    const text = isKnown ? words(told, unannounced.size) : words({ ...told, changes: [] }, 0);
    setDone({ text, before });
  };
  const props = { announced, changes, language, onLanguage: setLanguage, onTell: tell };
  return (
    <>
      <Segments
        className="announced-kinds"
        label={t('kind')}
        value={isWeek ? 'week' : 'message'}
        options={[
          ['week', t('week')],
          [
            'message',
            [t('changesTab'), changes.length > 0 && formats.number(changes.length)]
              .filter(Boolean)
              .join(' '),
          ],
        ]}
        onChange={(manage) => goTo({ manage })}
      />
      {!announced.isCurrent && (
        <p>{t('restored', { day: formats.at('day', announced.announced.at) })}</p>
      )}
      {isWeek ? (
        <WhatIsOn {...props} />
      ) : changes.length === 0 ? (
        <NoChanges announced={announced} />
      ) : (
        <Changes {...props} />
      )}
      <Saved
        was={done?.text}
        {...(done?.before !== undefined && { onUndo: () => void undoing.run(done.before ?? null) })}
      />
      <ErrorNotice error={undoing.error} />
    </>
  );
}
