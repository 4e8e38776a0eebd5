import { highlight } from './highlight.ts'
import type { SceneAction, SceneScript, StepStatus } from './script.ts'

const terminalRows = 8

/** Applies a script's actions to the page. The page is scene.html. */
export class Stage {
  readonly #code = find('code')
  readonly #terminal = find('terminal')
  readonly #tabs = find('tabs')
  readonly #steps: HTMLElement[]
  readonly #progress = find('progress')
  readonly #prompt = row('', 'caret')

  constructor(readonly script: SceneScript) {
    find('title').textContent = script.title
    this.#steps = script.steps.map((title) => {
      const item = document.createElement('li')
      item.textContent = title
      return item
    })
    find('steps').replaceChildren(...this.#steps)
    this.#tabs.replaceChildren(
      ...script.files.map((file) => {
        const tab = document.createElement('span')
        tab.textContent = file
        return tab
      }),
    )
    this.clear()
  }

  /** Back to the first moment of the script. */
  clear(): void {
    for (const step of this.#steps) step.className = 'waiting'
    this.#prompt.textContent = ''
    this.#terminal.replaceChildren(this.#prompt)
    this.#code.replaceChildren()
  }

  apply(action: SceneAction): void {
    switch (action.type) {
      case 'step':
        this.#setStep(action.step, action.status)
        break
      case 'open':
        for (const tab of this.#tabs.children) tab.classList.toggle('open', tab.textContent === action.file)
        this.#code.replaceChildren(...action.rows.map((text) => paint(row('', ''), text)))
        break
      case 'insert':
        this.#code.insertBefore(row('', ''), this.#code.children[action.row] ?? null)
        this.#place('here', action.row)
        break
      case 'remove':
        this.#code.children[action.row]?.remove()
        this.#place('here', action.row - 1)
        break
      case 'row': {
        const target = this.#code.children[action.row]
        if (target !== undefined) paint(target as HTMLElement, action.text)
        this.#place('here', action.row)
        break
      }
      case 'mark':
        this.#place('marked', action.row)
        break
      case 'prompt':
        this.#prompt.textContent = action.text
        break
      case 'print': {
        const line = row(action.text, action.tone)
        if (action.tone === 'good') {
          const tick = document.createElement('b')
          tick.textContent = action.text.slice(0, 1)
          line.replaceChildren(tick, action.text.slice(1))
        }
        this.#terminal.insertBefore(line, this.#prompt)
        while (this.#terminal.children.length > terminalRows) this.#terminal.firstElementChild?.remove()
        break
      }
    }
  }

  #setStep(index: number, status: StepStatus): void {
    const step = this.#steps[index]
    if (step !== undefined) step.className = status
    const done = this.#steps.filter((each) => each.className === 'done').length
    this.#progress.textContent = `${done} of ${this.#steps.length} steps done`
  }

  #place(mark: 'here' | 'marked', index: number | null): void {
    const target = index === null ? null : this.#code.children[index]
    const current = this.#code.querySelector(`.${mark}`)
    if (current === target) return
    current?.classList.remove(mark)
    target?.classList.add(mark)
  }
}

function find(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`The scene's page has no #${id}`)
  return element
}

function row(text: string, tone: string): HTMLElement {
  const element = document.createElement('div')
  element.textContent = text
  element.className = tone
  return element
}

function paint(target: HTMLElement, text: string): HTMLElement {
  target.replaceChildren(
    ...highlight(text).map(([piece, tint]) => {
      if (tint === '') return document.createTextNode(piece)
      const span = document.createElement('span')
      span.className = tint
      span.textContent = piece
      return span
    }),
  )
  return target
}
