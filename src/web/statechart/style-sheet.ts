const light = {
  ground: '#faf7f2',
  'box-1': '#fffdfa',
  'box-2': '#f7f2ea',
  edge: '#d3c7b6',
  text: '#201b15',
  quiet: '#675d51',
  line: '#94897a',
  chip: '#f1e9dd',
  guard: '#8a4b00',
  lit: '#ffe2b3',
  'lit-edge': '#d0801a',
}

const dark: typeof light = {
  ground: '#12100e',
  'box-1': '#1b1815',
  'box-2': '#242019',
  edge: '#4a4138',
  text: '#f4efe8',
  quiet: '#b3a99d',
  line: '#8c8174',
  chip: '#2f2821',
  guard: '#ffb84d',
  lit: '#4a3210',
  'lit-edge': '#ffb84d',
}

/** Faces as wide as textWidth reckons come first: others are squeezed to fit. */
const faces =
  'Inter,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans","Liberation Sans",Arial,"DejaVu Sans Condensed",sans-serif'

const rules = `
.box{fill:var(--box-2);stroke:var(--edge);stroke-width:1.25}
.odd>.box{fill:var(--box-1)}
.outermost>.box{fill:var(--ground)}
.inner{fill:none;stroke:var(--edge)}
.lit>.box{stroke:var(--lit-edge);stroke-width:2}
.atomic.lit>.box{fill:var(--lit)}
.final.lit>.box{fill:var(--lit)}
.title{font-size:14px;font-weight:600;fill:var(--text)}
.note{font-size:11.5px;fill:var(--quiet)}
.invoke{font-size:11.5px;fill:var(--quiet);font-style:italic}
.separator{fill:none;stroke:var(--line);stroke-width:1.25;stroke-dasharray:5 5}
.line{fill:none;stroke:var(--line);stroke-width:1.5}
.dot{fill:var(--line)}
.head{fill:var(--line)}
.edge.lit>.line{stroke:var(--lit-edge)}
.edge.lit>.head{fill:var(--lit-edge)}
.chip{fill:var(--chip)}
.label>text{font-size:11.5px;font-weight:500;fill:var(--text)}
.guard{fill:var(--guard)}
.action{fill:var(--quiet);font-weight:400}
.place{fill:var(--quiet);font-weight:400;font-style:italic}`

/**
 * How a picture looks: the house's colours (src/web/styles/tokens.css), light unless the reader's
 * system is dark. Every rule is for `.statechart` alone, so that it may stand in a page's own CSS.
 */
export const styleSheet = [
  `.statechart{${variables(light)}font-family:${faces}}`,
  `@media (prefers-color-scheme:dark){.statechart{${variables(dark)}}}`,
  ...rules
    .trim()
    .split('\n')
    .map((rule) => `.statechart ${rule}`),
].join('\n')

function variables(colours: Readonly<Record<string, string>>): string {
  return Object.entries(colours)
    .map(([name, colour]) => `--${name}:${colour};`)
    .join('')
}
