import type { ComponentChildren, VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { AssetName, Assets } from '../assets.ts'

export interface DocumentProps {
  readonly title: string
  readonly assets: Assets
  readonly styles: AssetName
  readonly script?: AssetName
  /** For a policy by nonce; a policy of `'self'` needs none. */
  readonly nonce?: string | undefined
  /** Search engines may keep it. Streams are not theirs to keep unless somebody says so. */
  readonly indexed?: boolean
  readonly bodyClass?: string
  readonly children: ComponentChildren
}

/** A whole HTML document, as text. No inline script that runs, no inline style: fit for a strict policy. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${renderToString(<Document {...props} />)}`
}

function Document({ title, assets, styles, script, nonce, indexed, bodyClass, children }: DocumentProps): VNode {
  const once = nonce === undefined ? {} : { nonce }
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="dark light" />
        <meta name="theme-color" content="#12100e" media="(prefers-color-scheme: dark)" />
        <meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)" />
        <meta name="referrer" content="no-referrer" />
        {indexed === true ? null : <meta name="robots" content="noindex" />}
        <link rel="icon" href={assets.paths['icon.svg']} type="image/svg+xml" />
        <link rel="stylesheet" href={assets.paths[styles]} {...once} />
        {script === undefined ? null : <script type="module" src={assets.paths[script]} {...once} />}
      </head>
      <body class={bodyClass}>{children}</body>
    </html>
  )
}
