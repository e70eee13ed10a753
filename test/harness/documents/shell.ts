/** @module The commands in a shell snippet, as far as a document needs to be checked: words, variables, no expansion. */

export type Command = {
  /** Names that are set before or by it. */
  readonly variables: readonly string[];
  /** Without quotes. */
  readonly words: readonly string[];
};

const KEYWORDS = new Set(["until", "while", "do", "done", "if", "then", "else", "fi", "!", "{", "}"]);
const ASSIGNMENT = /^([A-Z][A-Z0-9_]*)=/;
/** A quoted piece, a joined line, a comment, the end of a command, space, or anything else. */
const PIECE =
  /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\\n|(?<![^\s;|&(])#[^\n]*|(?<end>[\n;|&()])|(?<space>[ \t]+)|\\?([\s\S])/g;

export function commandsOf(text: string): readonly Command[] {
  const commands: Command[] = [];
  let words: string[] = [];
  let word: string | null = null;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    const command = commandOf(words);
    if (command !== null) commands.push(command);
    words = [];
  };
  for (const { 0: all, 1: single, 2: double, 5: plain, groups } of text.matchAll(PIECE)) {
    if (groups?.end !== undefined) endCommand();
    else if (groups?.space !== undefined || all === "\\\n") endWord();
    else if (!all.startsWith("#") || plain !== undefined)
      word = (word ?? "") + (single ?? double ?? plain ?? "");
  }
  endCommand();
  return commands;
}

function commandOf(all: readonly string[]): Command | null {
  const words = all.slice(all.findIndex((word) => !KEYWORDS.has(word)));
  if (all.every((word) => KEYWORDS.has(word))) return null;
  const variables: string[] = [];
  while (ASSIGNMENT.test(words[0] ?? "")) variables.push(ASSIGNMENT.exec(words.shift() ?? "")?.[1] ?? "");
  return { variables, words };
}
