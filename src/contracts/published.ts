import type { TSchema } from '@sinclair/typebox'
import {
  AgentStream,
  AgentStreamList,
  CreateAgentStream,
  CreatedAgentStream,
  DeskState,
  PublishGrant,
} from './agent-stream.ts'
import { ClientMessage, ServerMessageSchema } from './broadcast.ts'
import { CurtainRequest, CurtainView } from './curtain.ts'
import { InvitedPerson, KnownPerson, NewPerson } from './operator.ts'
import { Problem, ProblemKind, ProblemList } from './problem.ts'
import { ContractList, Health, KeySet, Readiness } from './server.ts'
import {
  CurtainHolds,
  NamedPerson,
  PeopleList,
  StreamLink,
  UpdateAgentStream,
  ViewTicketGrant,
  ViewTicketRequest,
} from './viewing.ts'
import { WhepEventsRequest } from './whep-events.ts'

/** Every contract that is served under `/contracts/<name>@<version>`: each names itself by its `$id`. */
export const publishedContracts: readonly TSchema[] = [
  AgentStream,
  AgentStreamList,
  CreateAgentStream,
  CreatedAgentStream,
  UpdateAgentStream,
  PublishGrant,
  DeskState,
  CurtainRequest,
  CurtainView,
  CurtainHolds,
  ViewTicketRequest,
  ViewTicketGrant,
  StreamLink,
  NamedPerson,
  PeopleList,
  ClientMessage,
  ServerMessageSchema,
  WhepEventsRequest,
  NewPerson,
  KnownPerson,
  InvitedPerson,
  KeySet,
  Health,
  Readiness,
  ContractList,
  Problem,
  ProblemKind,
  ProblemList,
]
