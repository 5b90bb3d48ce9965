package com.finedge.once.architecture.samples.billing;

import java.net.http.HttpClient;

interface SeesHttp {
    HttpClient sees();
}
