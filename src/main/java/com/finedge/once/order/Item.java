package com.finedge.once.order;

/**
 * So many of one article.
 *
 * @param quantity at least 1
 */
public record Item(String sku, long quantity) {}
