import type { ChatMessage, Proposal } from '#contract/assistant/assistant.ts'

/** The proposals of each answer, by the answer's id. One that was edited is shown as it reads now, in the same place. */
export function cardsOf(
  messages: readonly ChatMessage[],
  proposals: readonly Proposal[],
): ReadonlyMap<number, readonly Proposal[]> {
  const byId = new Map(proposals.map((proposal) => [proposal.id, proposal]))
  return new Map(
    messages.map(({ id, message_metadata: { proposal_ids: ids } }) => [
      id,
      ids
        .map((each) => byId.get(each))
        .filter((each) => each !== undefined)
        .filter(({ status }) => status !== 'replaced'),
    ]),
  )
}
