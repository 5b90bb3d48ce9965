/** Messages of the contract, and what billing is asked and answers, as JSON: read strictly, written canonically. */
@NullMarked
package com.finedge.once.adapter.json;

import org.jspecify.annotations.NullMarked;
