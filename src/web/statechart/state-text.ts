import type { ChartState } from './chart-description.ts'
import { measures, type TextStyle } from './measures.ts'
import { textWidth } from './text-width.ts'

export interface TextLine {
  readonly kind: 'title' | 'note' | 'invoke'
  readonly text: string
}

/** Notes are broken at words to be at most so wide, in px. */
const noteWidth = 96

/** The lines in a state's box: its name, what it is, and the actors that it runs. */
export function stateText({ key, description, invokes, kind }: ChartState): readonly TextLine[] {
  const holdsStates = kind === 'compound' || kind === 'parallel'
  return [
    { kind: 'title', text: key },
    ...(description === null ? [] : notes(description, holdsStates ? 400 : noteWidth)),
    ...(invokes.length === 0 ? [] : [{ kind: 'invoke', text: `runs ${invokes.join(', ')}` } as const]),
  ]
}

export function styleOf(kind: TextLine['kind']): TextStyle {
  return kind === 'title' ? measures.title : measures.note
}

/** The size of the lines set one below the other, in px. */
export function textBlock(lines: readonly TextLine[]): { width: number; height: number } {
  return {
    width: Math.max(0, ...lines.map(({ kind, text }) => textWidth(text, styleOf(kind).size, styleOf(kind).weight))),
    height: lines.reduce((sum, { kind }) => sum + styleOf(kind).lineHeight, 0),
  }
}

function notes(text: string, width: number): TextLine[] {
  return balanced(text.split(' '), width).map((line) => ({ kind: 'note', text: line }))
}

/** As few lines as fit into `width`, and then as even as they can be. */
function balanced(words: readonly string[], width: number): readonly string[] {
  const widest = lines(words, width)
  const runs = words.flatMap((_, from) => words.slice(from).map((_, length) => words.slice(from, from + length + 1)))
  const breaks = runs.map((run) => textWidth(run.join(' '), measures.note.size))
  const narrower = breaks.filter((limit) => limit < width && lines(words, limit).length === widest.length)
  return lines(words, Math.min(width, ...narrower))
}

function lines(words: readonly string[], width: number): readonly string[] {
  const broken: string[] = []
  for (const word of words) {
    const longer = `${broken.at(-1)} ${word}`
    if (broken.length > 0 && textWidth(longer, measures.note.size) <= width) broken[broken.length - 1] = longer
    else broken.push(word)
  }
  return broken
}
