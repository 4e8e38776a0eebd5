import { GlassProbe } from './probe.ts'

/** Entry of the injected script: starts a probe in the page and leaves it on `window`. */
const probe = new GlassProbe()
window.footlightProbe = probe
probe.listen()
if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => probe.start())
else probe.start()
