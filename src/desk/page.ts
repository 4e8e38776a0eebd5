import type { PageDesk } from './publisher/page-desk.ts'
import { TabPublisher } from './publisher/publisher.ts'
import { playScene } from './scene/play.ts'

/** The desk's page: the scene that is shown, and the publisher that shows it. */
const desk: PageDesk = {
  publisher: new TabPublisher((session, state) => window.footlightLink?.(session, state)),
  async blank(on) {
    const cover = document.getElementById('blank')
    if (cover !== null) cover.hidden = !on
    // The second frame's callback runs after the first frame was handed over.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  },
}
window.footlightDesk = desk
playScene()
