/**
 * How endpoints word that there were too many requests, whatever their code for it.
 * @module
 */

export const RATE_LIMITED =
  /rate.?limit|too many requests|requests? per|per second|throttl|compute units|over.{0,20}quota|capacity/i;
