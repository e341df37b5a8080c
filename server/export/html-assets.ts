import { boardScript, boardStyle } from './members-board.ts';
import { pageScript } from './members-script.ts';
import { pageStyle } from './members-style.ts';

/** Style of the page for members and of the board. */
export const style = `${pageStyle}${boardStyle}`;

/** Script of the page for members and of the board. Without it, the page still shows all events. */
export const script = `${pageScript}${boardScript}`;
