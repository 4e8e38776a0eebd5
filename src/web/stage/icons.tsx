import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

/** A four-pointed spark: what made the picture is not a person. */
export const SparkIcon = () => (
  <Icon>
    <path d="M12 3c.7 4.9 3.1 7.9 9 9-5.9 1.1-8.3 4.1-9 9-.7-4.9-3.1-7.9-9-9 5.9-1.1 8.3-4.1 9-9Z" />
  </Icon>
)

export const EyeIcon = () => (
  <Icon>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="2.75" />
  </Icon>
)

/** Two drawn drapes. */
export const CurtainIcon = () => (
  <Icon>
    <path d="M3 4h18M4.5 4v16M19.5 4v16M12 4v16M8.25 4c0 6-1 11-3.75 16h7.5M15.75 4c0 6 1 11 3.75 16H12" />
  </Icon>
)

/** A lamp at the edge of the stage, before the show. */
export const LampIcon = () => (
  <Icon>
    <path d="M5 18a7 7 0 0 1 14 0ZM3 21h18M12 3v3.5M4.9 6.4l2.3 2.6M19.1 6.4l-2.3 2.6" />
  </Icon>
)

export const CheckIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.75" />
    <path d="m8.25 12.25 2.6 2.6 5-5.2" />
  </Icon>
)

export const BrokenLinkIcon = () => (
  <Icon>
    <path d="M2.5 9.5a14 14 0 0 1 4.6-2.8M21.5 9.5A14 14 0 0 0 12 5.7M5.9 13.1a9 9 0 0 1 4-2.2M18.1 13.1a9 9 0 0 0-2-1.4M12 19h.01M4 3l16 17" />
  </Icon>
)

export const LockIcon = () => (
  <Icon>
    <rect x="5" y="10.5" width="14" height="10" rx="2.5" />
    <path d="M8 10.5V7.5a4 4 0 0 1 8 0v3M12 14.5v2" />
  </Icon>
)

export const MutedIcon = () => (
  <Icon>
    <path d="M4 9.5h3.5L12 5.5v13l-4.5-4H4ZM16 9.5l5 5M21 9.5l-5 5" />
  </Icon>
)

export const SoundIcon = () => (
  <Icon>
    <path d="M4 9.5h3.5L12 5.5v13l-4.5-4H4ZM15.5 9a4.2 4.2 0 0 1 0 6M18.2 6.5a7.8 7.8 0 0 1 0 11" />
  </Icon>
)

export const PlayIcon = () => (
  <Icon>
    <path d="M8 5.5v13l10.5-6.5Z" fill="currentColor" />
  </Icon>
)

export const FullScreenIcon = () => (
  <Icon>
    <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />
  </Icon>
)
