import { ProblemKind, ProblemList } from '../../contracts/problem.ts'
import { described } from './described.ts'

const anybody = { area: 'The server', who: 'Anybody.', accepts: [], open: true } as const

/** What the routes say of themselves that say what the others do. */
export const descriptionOperations = {
  openapi: described({
    ...anybody,
    name: 'readOpenApi',
    summary: 'Read this API as an OpenAPI document',
    about: 'OpenAPI 3.1, made from the schemas that validate.',
    answers: { 200: { says: 'The document.', types: ['application/json'] } },
    refuses: [],
  }),
  problems: described({
    ...anybody,
    name: 'listProblems',
    summary: 'List the problem codes',
    answers: { 200: { says: 'Every code, with its status and what to do.', contract: ProblemList } },
    refuses: [],
  }),
  problem: described({
    ...anybody,
    name: 'readProblem',
    summary: 'Explain a problem code',
    about: 'Where the type of a problem leads. A page for who accepts text/html.',
    answers: { 200: { says: 'What the code means and what to do.', contract: ProblemKind, types: ['text/html'] } },
    refuses: ['not_found'],
  }),
} as const
