// What other domains may use of language models.
export { failureSentence } from './failure-sentence.ts'
export { modelFor, type UserModel, withoutModel } from './model-for.ts'
export { clearOwnModel } from './save-own-model.ts'
export { ownModelRoutes } from './routes.ts'
