/** The scripted scene of the landing page: what each contact's status is at each step, and what has arrived by then. */
export type Actor = { name: string; company: string; subject: string; opening: string }

export const actors: ReadonlyArray<Actor> = [
  {
    name: 'Mara Lindqvist',
    company: 'Nordlys Café',
    subject: 'Your second room, before the snow',
    opening:
      'you wrote in March that the back room stays empty until somebody does the benches. We have a free fortnight in November.',
  },
  {
    name: 'Tom Okafor',
    company: 'Okafor Joinery',
    subject: 'Oak, cut and dried',
    opening:
      'your stall at the Leith market sold out before noon. If you need more dried oak before Christmas, we keep some back.',
  },
  {
    name: 'Inès Moreau',
    company: 'Atelier Moreau',
    subject: 'The counter in Lyon',
    opening:
      'the new shop opens in six weeks, you said. Here is what we would build for the counter, and what it costs.',
  },
  {
    name: 'Ravi Patel',
    company: 'Patel & Sons',
    subject: 'Shelving for three shops',
    opening:
      'you asked whether one set of drawings could serve all three shops. It can, and it saves you about a fifth.',
  },
  {
    name: 'June Albright',
    company: 'Albright Florist',
    subject: 'A bench for wet days',
    opening:
      'the zinc bench we talked about is back in our workshop, and it would fit under your north window.',
  },
]

/** The last step: a second mail in the same thread, to the contact who did not answer. */
const followUp: Actor = {
  name: 'Tom Okafor',
  company: 'Okafor Joinery',
  subject: 'Re: Oak, cut and dried',
  opening:
    'in case this slipped by: two pallets of the dried oak are still unclaimed. A yes or a no is all I need.',
}

export type Reply = { from: string; text: string; status: string }

/** Replies in the order of their arrival; each changes its sender's status. */
export const replies: ReadonlyArray<Reply> = [
  { from: 'Mara Lindqvist', text: 'November works. Could you come and measure?', status: 'replied' },
  { from: 'Inès Moreau', text: 'Yes please, send me the drawings.', status: 'interested' },
  { from: 'Ravi Patel', text: 'Thursday at ten suits all of us.', status: 'meeting_scheduled' },
]

/** Step 0 is the start; then every mail, every reply, and one follow-up to whoever stayed silent. */
const FIRST_REPLY = actors.length + 1
export const LAST_STEP = actors.length + replies.length + 1

export type SceneState = {
  sent: number
  statuses: ReadonlyArray<string>
  /** Newest first. */
  arrived: ReadonlyArray<Reply>
  /** Whole percent. */
  rate: number
  /** Whose mail lies open. */
  writing: Actor
}

/** The scene at a step from 0 to LAST_STEP. */
export function sceneAt(step: number): SceneState {
  const sent = Math.min(step, actors.length)
  const arrived = replies.slice(0, Math.max(0, step - FIRST_REPLY + 1))
  const statuses = actors.map((actor, index) => {
    const reply = arrived.find(({ from }) => from === actor.name)
    if (reply) return reply.status
    if (step === LAST_STEP && actor.name === followUp.name) return 'follow_up_1'
    return index < sent ? 'sent' : 'new'
  })
  return {
    sent,
    statuses,
    arrived: arrived.toReversed(),
    rate: sent === 0 ? 0 : Math.round((arrived.length / actors.length) * 100),
    writing: (step === LAST_STEP ? followUp : actors[Math.max(sent - 1, 0)]) ?? followUp,
  }
}
