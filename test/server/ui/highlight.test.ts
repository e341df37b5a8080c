import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '../../../db/fold.ts';
import { Highlighted } from '../../../server/ui/views/event/highlight.tsx';

const mark = (text: string, search: string) =>
  renderToStaticMarkup(createElement(Highlighted, { text, searched: wordsOf(search) }));

describe('a search hit', () => {
  it.each([
    ['Sommerfest', 'somm', '<mark>Somm</mark>erfest'],
    ['Café Zürich', 'cafe zur', '<mark>Café</mark> <mark>Zür</mark>ich'],
    ['Cafe\u0301 im Park', 'café', '<mark>Cafe\u0301</mark> im Park'],
    ['CAFE', 'café', '<mark>CAFE</mark>'],
    ['Łódź, Große Straße', 'lodz gross', '<mark>Łódź</mark>, <mark>Groß</mark>e Straße'],
    ['Strasse', 'straße', '<mark>Strasse</mark>'],
    ['Wintersommer', 'sommer', 'Wintersommer'],
    ['Spiel (A-Team)', 'team', 'Spiel (A-<mark>Team</mark>)'],
    ['<b>bold</b>', 'bold', '&lt;b&gt;<mark>bold</mark>&lt;/b&gt;'],
    ['Chess & chess', 'che', '<mark>Che</mark>ss &amp; <mark>che</mark>ss'],
    ['東京マラソン', '東京', '<mark>東京</mark>マラソン'],
    ['🎉 Party 🎉', 'party', '🎉 <mark>Party</mark> 🎉'],
    ['Διεθνής ΣΊΣΥΦΟΣ', 'διεθνης σισυφος', '<mark>Διεθνής</mark> <mark>ΣΊΣΥΦΟΣ</mark>'],
    ['Διεθνής', 'ΔΙΕΘΝΗΣ', '<mark>Διεθνής</mark>'],
    ['Ёлка', 'елка', '<mark>Ёлка</mark>'],
    ['한국어 마라톤', '한국'.normalize('NFD'), '<mark>한국</mark>어 마라톤'],
    [
      '한국어'.normalize('NFD'),
      '한국',
      `<mark>${'한국'.normalize('NFD')}</mark>${'어'.normalize('NFD')}`,
    ],
    ['ﬁnale', 'fin', '<mark>ﬁn</mark>ale'],
    [
      'Ⅷ. ＦＵＬＬ 𝔘rlaub',
      'viii full url',
      '<mark>Ⅷ</mark>. <mark>ＦＵＬＬ</mark> <mark>𝔘rl</mark>aub',
    ],
    ['Wochen\u00adende', 'wochenen', '<mark>Wochen\u00aden</mark>de'],
    ['½ l', '1 2', '<mark>½</mark> l'],
    ['दिल्ली मैराथन', 'दिल', '<mark>दिल्</mark>ली मैराथन'],
    ['Школа №5', '5', 'Школа №<mark>5</mark>'],
    ['nothing', '', 'nothing'],
    ['nothing', '-- !', 'nothing'],
  ])('is marked in %j for %j', (text, search, marked) => {
    expect(mark(text, search)).toBe(marked);
  });

  it('is searched only in the beginning of a very long text', () => {
    const marks = mark('x '.repeat(5_000), 'x').match(/<mark>/g);
    expect(marks).toHaveLength(1_000);
  });
});
